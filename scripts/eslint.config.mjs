import { join } from 'node:path';
import tseslint from 'typescript-eslint';

/** Folders of `src/` that may touch the outside world: files, sockets, clocks, threads. */
const edge = ['src/cli/**', 'src/sink/**', 'src/web/**', 'src/site/**', 'src/real-proxy/**'];

export default tseslint.config(
  {
    ignores: [
      'docs/papers/**',
      'dist/**',
      'dist-bench/**',
      'site/**',
      'coverage/**',
      'src/hash/kernel/assembly/**',
      'src/**/generated/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            'scripts/*.mjs',
            'test/real-proxy/*.mjs',
            'examples/policies/*.mjs',
            'docs/rings/*.mjs',
          ],
        },
        tsconfigRootDir: join(import.meta.dirname, '..'),
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `const { left, ...rest } = value` leaves a member out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      eqeqeq: 'error',
    },
  },
  {
    // A typed array read inside its bounds has a value; `?? 0` in a hot loop costs, `as number` states the fact.
    files: ['src/**'],
    rules: { '@typescript-eslint/non-nullable-type-assertion-style': 'off' },
  },
  {
    files: ['src/**'],
    ignores: edge,
    rules: {
      'no-restricted-globals': [
        'error',
        'Date',
        'performance',
        'process',
        'console',
        'setTimeout',
        'setInterval',
        'fetch',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness is an argument.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['node:*'],
              message: 'Only the edge (cli, sink, web, site, real-proxy) touches the outside world.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['scripts/**', 'test/real-proxy/*.mjs', 'examples/policies/*.mjs', 'docs/rings/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
  },
);
