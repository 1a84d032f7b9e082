import { FileText } from 'lucide-react';
import { formatBytes } from '../figures/format.ts';

/** Files that are attached to a document, to download. They have no ids: the address names each by its place. */
export function AttachedFiles({
  files,
  address,
}: {
  files: readonly { readonly name: string; readonly size: number }[];
  address: (index: number) => string;
}) {
  return (
    <ul className="divide-y divide-line text-sm">
      {files.map(({ name, size }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a file is named by its place
        <li key={index}>
          <a href={address(index)} className="flex items-center gap-2.5 px-3.5 py-2.5 hover:bg-hover" download>
            <FileText aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none text-ink-3" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="text-xs text-ink-3">{formatBytes(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
