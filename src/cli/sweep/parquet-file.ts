import { ByteWriter, parquetWriteRows } from 'hyparquet-writer';
import type { SweepTable } from '../../report/sweep-report.js';
import type { OutputFile } from '../output/output-files.js';

/** Rows that are in memory at a time. */
const GROUP = 10_000;

/**
 * Writes a table as Apache Parquet (format version 2, Snappy): columns of whole numbers (INT32), numbers (DOUBLE) and
 * text (UTF-8), all of which may be null. @param write takes the next bytes of the file, and resolves once more may come.
 */
export async function writeParquet({ columns, rows }: SweepTable, write: OutputFile['write']): Promise<void> {
  const names = columns.map(({ name }) => name);
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    await write(bytes);
  };
  const records = function* (): Generator<Record<string, string | number | undefined>> {
    for (const row of rows) yield Object.fromEntries(names.map((name, index) => [name, row[index]]));
  };
  await parquetWriteRows({
    writer: Object.assign(writer, { flush, finish: flush }),
    columns: columns.map(({ name, type }) => ({ name, type: PARQUET_TYPES[type], nullable: true })),
    rows: records(),
    rowGroupSize: GROUP,
    createdBy: 'lbsim',
  });
}

const PARQUET_TYPES = { whole: 'INT32', number: 'DOUBLE', text: 'STRING' } as const;
