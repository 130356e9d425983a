import * as hashing from '../../src/policies/hashing/index.js';
import * as policies from '../../src/policies/index.js';
import { examplesPrintWhatTheySay } from '../support/page-examples.js';

examplesPrintWhatTheySay('docs/policies.md', 'lbsim/policies', { ...policies, ...hashing });
