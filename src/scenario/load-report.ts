import { words } from '../config/reader/plain-choices.js';
import { block, defaulted, either, mapping, type Schema } from '../config/reader.js';
import type { LoadReport } from '../policy/load-report.js';
import { decimal } from './fields.js';

/** The load that hosts report with their answers: `load_report` of `behavior`. */

const amount = (what: string): Schema<number> => decimal(what, 'of 0 or more', (value) => value >= 0);
const metrics = (what: string): Schema<Readonly<Record<string, number>>> => mapping(amount(what));

const Report = block(
  'load_report',
  () => ({
    cpu_utilization: defaulted(amount('cpu_utilization'), 0, 'How busy its processor is; 1 is fully. Default 0.'),
    mem_utilization: defaulted(amount('mem_utilization'), 0, 'How full its memory is. Default 0.'),
    application_utilization: defaulted(
      amount('application_utilization'),
      0,
      'How busy the application says it is; above 0 it goes before all others. Default 0.',
    ),
    rps_fractional: defaulted(amount('rps_fractional'), 0, 'Requests a second that it serves. Default 0.'),
    eps: defaulted(amount('eps'), 0, 'Errors a second. Default 0.'),
    named_metrics: defaulted(metrics('a named metric'), {}, 'Metrics of its own, as {queue: 0.3}.'),
    utilization: defaulted(metrics('a utilization'), {}, 'Utilisation of resources by name, as {disk: 0.8}.'),
  }),
  { doc: 'What a host reports of its load beside each answer, in the names of ORCA load reports.' },
).transform(({ rpsFractional: rps, ...fields }): LoadReport => ({ ...fields, rps }));

/** `none`, `measured`, or the report itself. */
export const LoadReportField: Schema<LoadReport | 'none' | 'measured'> = either(Report, words(['none', 'measured']));
