import { Download } from 'lucide-react';
import { LinkMenu } from '../../../components/overlays/menu.tsx';
import { paths } from '../../../paths.ts';

/** Exports what the columns of a company's tapes mean. For those who may read its mappings and its tapes. */
export function DictionaryMenu({ companyId }: { companyId: string }) {
  return (
    <LinkMenu
      label="Export"
      icon={Download}
      links={[
        { to: paths.dataDictionary(companyId, 'xlsx'), label: 'Data dictionary (Excel)', hint: '.xlsx' },
        { to: paths.dataDictionary(companyId, 'csv'), label: 'Data dictionary (CSV)', hint: '.csv' },
      ]}
    >
      What each column of the borrower’s tapes is mapped to
    </LinkMenu>
  );
}
