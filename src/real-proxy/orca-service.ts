import { type Micros, MICROS_PER_SECOND } from '../core/units.js';
import type { LoadReport } from '../policy/load-report.js';

/** Where a host reports its load by itself, over gRPC. Source: xds.service.orca.v3 and xds.data.orca.v3. */
export const ORCA_PATH = '/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics';

const NANOS_PER_MICRO = 1_000;
/** A gRPC message begins with a byte that says whether it is compressed, and its length. */
const PREFIX = 5;

/** `OrcaLoadReport` as a message of a gRPC stream. */
export function reportFrame(report: LoadReport): Uint8Array {
  const message = Buffer.concat([
    doubleField(1, report.cpuUtilization),
    doubleField(2, report.memUtilization),
    mapField(5, report.utilization),
    doubleField(6, report.rps),
    doubleField(7, report.eps),
    mapField(8, report.namedMetrics),
    doubleField(9, report.applicationUtilization),
  ]);
  const frame = Buffer.alloc(PREFIX);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

function doubleField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

const bytesField = (field: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of((field << 3) | 2), varint(bytes.length), bytes]);

const mapField = (field: number, values: Readonly<Record<string, number>>): Buffer =>
  Buffer.concat(
    Object.entries(values).map(([key, value]) =>
      bytesField(field, Buffer.concat([bytesField(1, Buffer.from(key)), doubleField(2, value)])),
    ),
  );

const varint = (value: number): Buffer =>
  value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 127) | 128), varint(value >>> 7)]);

/** How often a proxy asks for reports: the `report_interval` of its `OrcaLoadReportRequest`. @returns µs */
export function periodOf(frame: Uint8Array): Micros {
  // Field 1 of the request, which is shorter than 128 bytes, has seconds in its field 1 and nanoseconds in 2.
  const [, , ...duration] = frame.subarray(PREFIX);
  let [seconds, nanos] = [0, 0];
  while (duration.length > 0) {
    const tag = duration.shift();
    let [value, scale, byte] = [0, 1, 0];
    do {
      byte = duration.shift() ?? 0;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    if (tag === 8) seconds = value;
    else nanos = value;
  }
  return seconds * MICROS_PER_SECOND + nanos / NANOS_PER_MICRO;
}
