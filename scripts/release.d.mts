export function obstaclesOfRelease(read: (file: string) => string, tag?: string): readonly string[];
