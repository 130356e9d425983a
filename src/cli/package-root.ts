/**
 * The folder of this package, as a URL that ends with a slash: here are package.json and the shipped scenarios. The
 * bundled command lies as deep as this source, in dist/cli/.
 */
export const packageRoot = new URL('../../', import.meta.url);
