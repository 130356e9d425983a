/** What makes films of pictures: a part of the page that lies beside it. */
export { applyPalette, GIFEncoder, quantize } from 'gifenc';
