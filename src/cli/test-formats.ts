/** The forms in which `lbsim test` tells its results. */
export const TEST_FORMATS = ['text', 'json', 'github'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];
