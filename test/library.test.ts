import * as lbsim from '../src/index.js';
import { examplesPrintWhatTheySay } from './support/page-examples.js';

examplesPrintWhatTheySay('docs/library.md', 'lbsim', lbsim);
