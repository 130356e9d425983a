const MODULE = /\.[cm]?js$/;

/** Whether a text names a module, rather than a policy. */
export function isModuleName(text: string): boolean {
  return MODULE.test(text);
}
