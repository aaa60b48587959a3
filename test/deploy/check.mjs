// Checks files of deploy and prints what is wrong with them:
//   node check.mjs dockerfile=<path> compose=<path> kubernetes=<path> …
// It exits with status 1 if anything is.
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { validate } from 'dockerfile-utils';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import YAML from 'yaml';

// dockerfile uses the validator of Docker's language server.
function dockerfile(text) {
  return validate(text).map((problem) => `line ${problem.range.start.line + 1}: ${problem.message}`);
}

// compose uses the schema of Compose.
function compose(text) {
  const schema = JSON.parse(readFileSync(new URL('node_modules/dclint/schemas/compose.schema.json', import.meta.url), 'utf8'));
  const { $schema, ...rules } = schema;
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats(ajv);
  const check = ajv.compile(rules);
  check(YAML.parse(text, { merge: true }));
  return (check.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

// kubernetes checks documents against the schema of their kind, which knows
// values. The names are checked for all files at once, because that is slow.
async function kubernetes(text, path) {
  const documents = YAML.parseAllDocuments(text);
  const broken = documents.flatMap((document) => document.errors.map(String));
  if (broken.length > 0) return broken;
  const values = documents.map((document) => document.toJS());
  manifests.push(...values.map((value) => ({ path, value })));
  return (await Promise.all(values.map(checkValues))).flat();
}

const manifests = [];

const moduleOf = (value) => `kubernetes-models/${value.apiVersion}/${value.kind}`;

async function checkValues(value) {
  try {
    const model = (await import(moduleOf(value)))[value.kind];
    new model(value).validate();
    return [];
  } catch (error) {
    return [`${value.kind}: ${error.message}`];
  }
}

// checkNames compiles the documents as literals of their types, one per line,
// which refuses unknown names.
function checkNames() {
  const file = new URL('documents.ts', import.meta.url).pathname;
  const source = manifests.map(({ value }, i) => literal(value, i)).join('');
  const options = {
    module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022,
    noEmit: true, strict: true, skipLibCheck: true, types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target) => (name === file ? ts.createSourceFile(name, source, target, true) : getSourceFile(name, target));
  const program = ts.createProgram([file], options, host);
  const compiled = program.getSourceFile(file);
  return program.getSemanticDiagnostics(compiled).map((d) => {
    const { path, value } = manifests[compiled.getLineAndCharacterOfPosition(d.start).line];
    return `${path}: ${value.kind}: ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`;
  });
}

function literal(value, i) {
  const type = `import('${moduleOf(value)}').I${value.kind}`;
  return `export const document${i}: ${type} = ${JSON.stringify(value)};\n`;
}

const kinds = { dockerfile, compose, kubernetes };
const problems = [];
for (const argument of process.argv.slice(2)) {
  const [kind, path] = argument.split('=');
  const found = await kinds[kind](readFileSync(path, 'utf8'), path);
  problems.push(...found.map((problem) => `${path}: ${problem}`));
}
problems.push(...checkNames());
problems.forEach((problem) => console.log(problem));
process.exitCode = problems.length > 0 ? 1 : 0;
