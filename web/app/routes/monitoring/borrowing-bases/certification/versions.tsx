import { CERTIFICATION_STATUS_LABELS, FIGURES_LABELS } from '@tapeline/domain/certifications/certification-labels.ts';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { CertificationView } from './certification-page.server.ts';
import { CERTIFICATION_TONES } from './certification-tones.ts';

const Step = ({ by, at }: { by: string | null; at: string | null }) =>
  by && at ? (
    <>
      <Name>{by}</Name>, <DateText value={at} time />
    </>
  ) : null;

/** Every certificate of the borrowing base, with who did what and when. */
export const CertificationHistory = ({ baseId, all }: { baseId: string; all: readonly CertificationView[] }) => (
  <TableSection
    title="History"
    note="a correction is a new version; what was submitted is kept"
    narrow="list"
    rows={all}
    rowTo={(row) => paths.certification(baseId, { certificate: row.id })}
    columns={[
      { head: 'Version', cell: (row) => `Version ${row.number}` },
      {
        head: 'State',
        cell: (row) => <Chip tone={CERTIFICATION_TONES[row.status]}>{CERTIFICATION_STATUS_LABELS[row.status]}</Chip>,
      },
      { head: 'Figures', cell: (row) => FIGURES_LABELS[row.isOwnFigures ? 'own' : 'ours'], wraps: true },
      { head: 'Submitted', cell: (row) => <Step by={row.name} at={row.submittedAt} /> },
      { head: 'Review began', cell: (row) => <Step by={row.reviewedBy} at={row.reviewedAt} /> },
      { head: 'Decided', cell: (row) => <Step by={row.decidedBy} at={row.decidedAt} /> },
    ]}
  />
);
