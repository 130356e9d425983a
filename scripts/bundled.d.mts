export function packagesOf(modules: readonly string[]): readonly string[];
export function noteBundled(part: string, modules: readonly string[]): void;
export function sbomOf(parts: Readonly<Record<string, readonly string[]>>): string;
export function writeSbom(): void;
