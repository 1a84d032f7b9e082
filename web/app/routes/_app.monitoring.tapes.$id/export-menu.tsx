import { useSearchParams } from '@remix-run/react';
import { Download } from 'lucide-react';
import { LinkMenu } from '../../components/overlays/menu.tsx';
import { paths } from '../../paths.ts';

const FORMATS = [
  { format: 'xlsx', label: 'Excel', hint: '.xlsx' },
  { format: 'csv', label: 'CSV', hint: '.csv' },
  { format: 'parquet', label: 'Parquet', hint: '.parquet' },
  { format: 'arrow', label: 'Arrow stream', hint: '.arrow' },
] as const;

/** The whole list of assets as a file, as it is filtered and sorted on the page. */
export function ExportMenu({ tapeId, filter }: { tapeId: string; filter: string | null }) {
  const [search] = useSearchParams();
  const sort = search.get('sort');
  return (
    <LinkMenu
      label="Export"
      icon={Download}
      links={FORMATS.map(({ format, label, hint }) => ({
        to: paths.tapeExport(tapeId, { filter: filter ?? undefined, sort: sort ?? undefined, format }),
        label,
        hint,
      }))}
    >
      {filter ? 'All assets that pass the filter' : 'All assets'}, with every column
    </LinkMenu>
  );
}
