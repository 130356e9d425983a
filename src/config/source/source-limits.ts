/** Larger files are refused unread: far more than any scenario, and enough for the dump of a large mesh. */
export const MAX_LENGTH = 256 * 1024 * 1024;
/** Larger files must be JSON: the YAML parser needs a hundred bytes of memory per byte. */
export const MAX_YAML_LENGTH = 8 * 1024 * 1024;
/** As deep as protobuf's JSON parser goes. */
export const MAX_DEPTH = 100;
