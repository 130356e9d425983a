/** In the page's engine this stands for control-planes.ts and edited.ts of src/scenario/objects, a twentieth of the page: objects that people edit are the command's. */

export const isEdited = (): boolean => false;
export const fromObjects = (): undefined => undefined;
