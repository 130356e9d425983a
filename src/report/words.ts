export { fill } from '../core/fill.js';
export { SENTENCES } from './generated/sentences.js';
