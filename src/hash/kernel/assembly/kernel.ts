/** What the module exports. */
export * from './ring';
export * from './maglev';
export * from './texts';
