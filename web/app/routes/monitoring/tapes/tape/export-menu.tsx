import { useSearchParams } from '@remix-run/react';
import { Download } from 'lucide-react';
import { LinkMenu } from '../../../../components/overlays/menu.tsx';
import { paths } from '../../../../paths.ts';

const FORMATS = [
  { format: 'xlsx', label: 'Excel', hint: '.xlsx' },
  { format: 'csv', label: 'CSV', hint: '.csv' },
  { format: 'parquet', label: 'Parquet', hint: '.parquet' },
  { format: 'arrow', label: 'Arrow stream', hint: '.arrow' },
] as const;

/** Exports the whole list of assets as a file, with the page's filter and sort order. */
export function ExportMenu({
  tapeId,
  filter,
  borrowingBase,
}: {
  tapeId: string;
  filter: string | null;
  borrowingBase: string | undefined;
}) {
  const [search] = useSearchParams();
  const sort = search.get('sort');
  return (
    <LinkMenu
      label="Export"
      icon={Download}
      links={FORMATS.map(({ format, label, hint }) => ({
        to: paths.tapeExport(tapeId, { filter: filter ?? undefined, sort: sort ?? undefined, format, borrowingBase }),
        label,
        hint,
      }))}
    >
      {filter ? 'Filtered assets' : 'All assets'}, with every column
    </LinkMenu>
  );
}
