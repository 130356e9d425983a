/** Writes the modules that are not what their data says. */
export function writeDataModules(): void;
