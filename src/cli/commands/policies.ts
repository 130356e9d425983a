import { FORMAT } from '../../core/document-format.js';
import { EXTENSIONS } from '../../policy/extensions.js';
import type { PolicyModule } from '../../policy/foreign/policy-module.js';
import { policyOf } from '../../policy/policy-of.js';
import { LB_POLICIES, type LbPolicy } from '../../policy/registry.js';
import { type PoliciesDocument, type PolicyDocument, jsonDocument } from '../../report/documents.js';
import { wrap } from '../../report/layout.js';
import { expected, written } from '../../scenario/fields/policy-settings.js';
import { lookOf, says, type Work } from '../session.js';

export const policiesCommand: Work<'policies'> = async ({ json }, session) => {
  if (json === true) return session.out.write(jsonDocument(policiesDocument()));
  const { width } = lookOf(session.io.stdout, session.io.env);
  const lines = [
    says('policies_of_proxy'),
    ...LB_POLICIES.flatMap((name) => wrap(factWords(name), width, '  ', '    ')),
    '',
    says('policies_besides'),
    ...Object.entries(EXTENSIONS).flatMap(([name, module]) => extensionLines(name, module, width)),
    '',
    ...wrap(says('policies_of_yours'), width),
  ];
  await session.out.write(`${lines.join('\n')}\n`);
};

function policiesDocument(): PoliciesDocument {
  const factsOf = (name: string): Pick<PolicyDocument, 'kind' | 'uses_weights' | 'looks_at_load' | 'hears'> => {
    const { kind, usesWeights, looksAtLoad, hears } = policyOf(name as LbPolicy);
    return { kind, uses_weights: usesWeights, looks_at_load: looksAtLoad, hears };
  };
  const own = LB_POLICIES.map((name): PolicyDocument => ({ name, of: 'proxy', ...factsOf(name) }));
  const extensions = Object.entries(EXTENSIONS).map(([name, module]): PolicyDocument => {
    const settings = Object.keys(module.settings ?? {});
    return { name, of: 'extension', ...factsOf(name), source: module.source ?? '', settings };
  });
  return { format: FORMAT, policies: [...own, ...extensions] };
}

function factWords(name: string): string {
  const { kind, usesWeights, looksAtLoad, hears } = policyOf(name as LbPolicy);
  const facts = [
    kind === 'table' ? 'by the hash of the request' : 'from the list of hosts',
    usesWeights ? 'weights count' : 'whatever their weight',
    ...(looksAtLoad ? ['active requests count'] : []),
    ...hears.map((each) => `hears ${each.replace('_', ' ')}`),
  ];
  return `${name}: ${facts.join(', ')}`;
}

function extensionLines(name: string, module: PolicyModule, width: number): string[] {
  const settings = Object.entries(module.settings ?? {}).map(([setting, schema]) => {
    const { default: byDefault } = schema;
    const value = typeof byDefault === 'number' ? written(byDefault, schema) : String(byDefault);
    const without = byDefault === undefined ? 'required' : `default ${value}`;
    return `${setting}: ${expected(schema)}; ${without}. ${schema.description ?? ''}`;
  });
  return [
    ...wrap(`${factWords(name)}. Source: ${module.source ?? ''}`, width, '  ', '    '),
    ...settings.flatMap((text) => wrap(text, width, '    ', '      ')),
  ];
}
