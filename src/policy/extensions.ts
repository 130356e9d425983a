import type { PolicyModule } from './policy-module.js';

/** Policies that the proxy has not and that people compare with, by the name that clusters give. */
export const EXTENSIONS: Readonly<Record<string, PolicyModule>> = {};
