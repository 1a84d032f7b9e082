import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import type { KYCStatus } from '@tapeline/domain/investors/investor-record.schema.ts';
import { INVESTOR_TYPE_LABELS, KYC_STATUS_LABELS } from '@tapeline/domain/investors/kinds.ts';
import { DAYS_BEFORE_EXPIRY, TAX_FORM_LABELS } from '@tapeline/domain/investors/record-labels.ts';
import { DateText, Mono } from '../../components/figures/figures.tsx';
import { PayoutAccounts } from '../../components/organizations/payout-accounts.tsx';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Facts, MoreLink, PanelSection } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { InvestorTab } from './investor-page.server.ts';

const KYC_TONES: Readonly<Record<KYCStatus, Tone>> = {
  notStarted: 'neutral',
  inReview: 'warning',
  passed: 'good',
  refused: 'danger',
};

/** The last valid day of something, and whether it has passed or is near. */
function Expiry({ day, today }: { day: string | null; today: string }) {
  if (day === null) return <span className="text-ink-3">No end</span>;
  const days = daysBetween(today, day);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <DateText value={day} />
      {days < 0 ? <Chip tone="danger">Expired</Chip> : null}
      {days >= 0 && days <= DAYS_BEFORE_EXPIRY ? <Chip tone="warning">Expires soon</Chip> : null}
    </span>
  );
}

/** What the manager keeps about an investor: type, tax, checks, and where distributions are paid. */
export function InvestorRecord({ page }: { page: InvestorTab<'details'> }) {
  const { id, mayWrite, externalCode, tab } = page;
  const { record, today } = tab;
  const given = (label: string, value: string | null | undefined, isCode = false) =>
    value ? [{ label, value: isCode ? <Mono>{value}</Mono> : value }] : [];
  return (
    <>
      <PanelSection
        title="Record"
        padded
        more={mayWrite ? <MoreLink to={paths.investorRecord(id)}>Edit record</MoreLink> : undefined}
      >
        <Facts
          items={[
            ...given('Type of investor', record.type && labelOf(INVESTOR_TYPE_LABELS, record.type)),
            ...given('External code', externalCode, true),
            ...given('LEI', record.lei, true),
            ...given('Tax id', record.taxId, true),
            ...given('Tax residence', record.taxResidence && countryName(record.taxResidence)),
            {
              label: 'KYC status',
              value: <Chip tone={KYC_TONES[record.kycStatus]}>{KYC_STATUS_LABELS[record.kycStatus]}</Chip>,
            },
            ...(record.kycDate ? [{ label: 'KYC date', value: <DateText value={record.kycDate} /> }] : []),
            ...(record.kycExpiresOn
              ? [
                  {
                    label: 'KYC expiry',
                    value:
                      record.kycStatus === 'passed' ? (
                        <Expiry day={record.kycExpiresOn} today={today} />
                      ) : (
                        <DateText value={record.kycExpiresOn} />
                      ),
                  },
                ]
              : []),
            ...given('Reason of the refusal', record.kycReason),
          ]}
        />
      </PanelSection>
      <TableSection
        title="Tax forms"
        narrow="list"
        rows={record.taxForms}
        rowKey={(row) => `${row.form} ${row.signedOn} ${row.file ?? ''}`}
        empty={<EmptyState title="No tax forms" />}
        columns={[
          { head: 'Form', name: (row) => TAX_FORM_LABELS[row.form] },
          { head: 'Signed', date: (row) => row.signedOn },
          { head: 'Valid until', cell: (row) => <Expiry day={row.validUntil} today={today} /> },
          {
            head: 'File',
            cell: (row) =>
              row.file ? (
                <a href={paths.download(row.file)} className="tap-text text-accent hover:underline">
                  Download
                </a>
              ) : (
                <span className="text-ink-3">No file</span>
              ),
          },
        ]}
      />
      <PayoutAccounts {...tab.payouts} pays="distributions" />
    </>
  );
}
