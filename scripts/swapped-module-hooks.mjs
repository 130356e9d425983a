// Module hooks that give modules other texts.
let texts = {};

export function initialize(data) {
  texts = data;
}

export async function load(url, context, next) {
  const source = texts[url];
  return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
}
