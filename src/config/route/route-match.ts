import { Int64Range } from '../cluster/health-check.js';
import { RegexMatcher } from './matcher.js';
import { message, optional, plain, required, type Output } from '../reader.js';
import { bool, string } from '../reader/proto.js';

export const HeaderMatcher = message('route.HeaderMatcher', () => ({
  name: required(string()),
  exact_match: optional(string()),
  regex_match: optional(string()),
  safe_regex_match: optional(RegexMatcher),
  range_match: optional(Int64Range),
  present_match: optional(bool()),
  prefix_match: optional(string()),
  suffix_match: optional(string()),
  invert_match: plain(bool()),
}));

export type HeaderMatcher = Output<typeof HeaderMatcher>;
