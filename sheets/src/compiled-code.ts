import { readFileSync } from 'node:fs';

/** The compiled modules of sheets/scanner, next to this file. */
export type CompiledName = 'row-scanner' | 'batch-packer';

const compiled = new Map<CompiledName, WebAssembly.Module>();

/** Compiled once per process. */
export function compiledModule(name: CompiledName): WebAssembly.Module {
  const known = compiled.get(name);
  if (known) return known;
  const made = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)));
  compiled.set(name, made);
  return made;
}

/** The functions of a compiled module, over a memory that the caller provides. */
export function instantiate<Functions>(name: CompiledName, memory: WebAssembly.Memory): Functions {
  return new WebAssembly.Instance(compiledModule(name), { env: { memory } }).exports as unknown as Functions;
}
