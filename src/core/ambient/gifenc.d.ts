/** What is used of it. Pixels are RGBA, a byte each. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[];
  interface Encoder {
    /** @param options.delay until the next frame, in ms. */
    writeFrame(
      pixels: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: Palette; readonly delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(pixels: Uint8ClampedArray, colours: number): Palette;
  export function applyPalette(pixels: Uint8ClampedArray, palette: Palette): Uint8Array;
}
