import { writeFileSync } from 'node:fs';
export const dump = (): any => ({
  name: 'dump',
  generateBundle(this: any, _o: any, bundle: any) {
    const out: any = {};
    for (const [file, chunk] of Object.entries(bundle) as any)
      if (chunk.type === 'chunk')
        out[file] = {
          name: chunk.name,
          imports: chunk.imports,
          dyn: chunk.dynamicImports,
          modules: Object.fromEntries(
            Object.entries(chunk.modules).map(([id, m]: any) => [id, [m.renderedLength, m.renderedExports]]),
          ),
        };
    const mods: any = {};
    for (const id of this.getModuleIds())
      mods[id] = {
        imp: this.getModuleInfo(id).importedIds,
        dyn: this.getModuleInfo(id).dynamicallyImportedIds,
        entry: this.getModuleInfo(id).isEntry,
      };
    writeFileSync('/tmp/dump.json', JSON.stringify({ out, mods }));
  },
});
