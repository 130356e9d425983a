import { EXTENSIONS } from '../../policy/extensions.js';
import type { PolicyModule } from '../../policy/policy-module.js';
import { LB_POLICIES, policyOf } from '../../policy/registry.js';
import { wrap } from '../../report/layout.js';
import { expected, written } from '../../scenario/policy-settings.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { widthOf } from '../terminal.js';

/** `lbsim policies`: which there are, and which of them the proxy has. */
export async function policies(session: Session): Promise<ExitCode> {
  const { stdout, env } = session.io;
  const width = widthOf(stdout, env);
  const lines = [
    'Policies of the proxy, set by their own messages (lb_policy, ring_hash_lb_config …):',
    ...LB_POLICIES.flatMap((name) => wrap(factsOf(name), width, '  ', '    ')),
    '',
    'Policies that the proxy has not, for comparison: lb_policy: NAME, or {policy: NAME, settings: {…}}',
    ...Object.entries(EXTENSIONS).flatMap(([name, module]) => extensionLines(name, module, width)),
    '',
    ...wrap(
      'Your own: lbsim init --policy my-policy.mjs writes one to start from, and docs/policies.md tells of it.',
      width,
    ),
  ];
  await session.out.write(`${lines.join('\n')}\n`);
  return ExitCode.ok;
}

function factsOf(name: (typeof LB_POLICIES)[number]): string {
  const { kind, usesWeights, looksAtLoad, hears } = policyOf(name);
  return `${name}: ${factWords({ kind, usesWeights, looksAtLoad, hears })}`;
}

function factWords(facts: {
  readonly kind: 'list' | 'table';
  readonly usesWeights: boolean;
  readonly looksAtLoad: boolean;
  readonly hears: readonly string[];
}): string {
  return [
    facts.kind === 'table' ? 'by the hash of the request' : 'from the list of hosts',
    facts.usesWeights ? 'weights count' : 'whatever their weight',
    ...(facts.looksAtLoad ? ['active requests count'] : []),
    ...facts.hears.map((each) => `hears ${each.replace('_', ' ')}`),
  ].join(', ');
}

function extensionLines(name: string, module: PolicyModule, width: number): string[] {
  const { hears } = policyOf(name as never);
  const facts = {
    kind: module.kind,
    usesWeights: module.usesWeights ?? false,
    looksAtLoad: module.looksAtLoad ?? false,
    hears,
  };
  const settings = Object.entries(module.settings ?? {}).map(([setting, schema]) => {
    const { default: byDefault } = schema;
    const value = typeof byDefault === 'number' ? written(byDefault, schema) : String(byDefault);
    const without = byDefault === undefined ? 'required' : `default ${value}`;
    return `${setting}: ${expected(schema)}; ${without}. ${schema.description ?? ''}`;
  });
  return [
    ...wrap(`${name}: ${factWords(facts)}. Source: ${module.source ?? ''}`, width, '  ', '    '),
    ...settings.flatMap((text) => wrap(text, width, '    ', '      ')),
  ];
}
