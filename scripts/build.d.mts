/** Whether dist/ was built from the sources as they are now and is complete. */
export function isBuilt(): boolean;
