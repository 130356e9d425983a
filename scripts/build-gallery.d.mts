/**
 * The pages of a folder's scenarios, or of those named.
 *
 * @returns how many pages there are.
 */
export function buildGallery(
  folder: string,
  names?: readonly string[],
  scenarios?: string,
  site?: string,
): Promise<number>;
