import type { Api } from '../src/config/api/api.js';

/** The table of the v3 API as text. */
export function v3Text(): string;

/** The text of the fields that tell which kind of file, and which API, one is. */
export function tellingFieldsText(v2: Api, v3: Api): string;
