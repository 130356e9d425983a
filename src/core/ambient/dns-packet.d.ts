/** What is used of dns-packet, which brings no types. */
declare module 'dns-packet' {
  export interface Question {
    readonly name: string;
    /** `A`, `AAAA` … */
    readonly type: string;
  }

  export interface Packet {
    readonly id?: number;
    readonly type?: 'query' | 'response';
    /** {@link AUTHORITATIVE_ANSWER} and others; the lowest four bits are the code of the answer. */
    readonly flags?: number;
    readonly questions?: readonly Question[];
    readonly answers?: readonly {
      readonly name: string;
      readonly type: 'A';
      readonly ttl: number;
      readonly data: string;
    }[];
  }

  export const AUTHORITATIVE_ANSWER: number;
  export function encode(packet: Packet): Buffer;
  /** @throws RangeError and others, where it is none. */
  export function decode(packet: Buffer): Packet;
}
