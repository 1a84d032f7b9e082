import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { type Caller, sendFile } from '@tapeline/launch/client/caller.ts';
import { type WrittenCell, writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';
import { CREDIT_FUND } from '../names.ts';
import { quarterEnds } from '../quarter-ends.ts';
import { filtered } from './request-draws.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const QUARTERS = 4;

interface Money {
  sum: number;
  currency: string;
}
interface Figures {
  called: Money | null;
  unfunded: Money | null;
  distributed: Money | null;
  nav: Money | null;
  dpi: number | null;
  rvpi: number | null;
  tvpi: number | null;
}

/** Uploads the quarterly reports of a fund and publishes them, unless an earlier run has already done so. */
export async function uploadReports(api: Caller): Promise<void> {
  const title = CREDIT_FUND;
  const quarters = quarterEnds(calendarDateOf(new Date()), QUARTERS);
  const [fund] = await api.get<{ id: string }[]>(filtered('/crud/funds', { title }));
  if (!fund) throw new Error(`there is no fund called ${title}`);
  const stored = await api.get<{ cutOffDate: string }[]>(filtered('/crud/reports', { fund: fund.id }));
  for (const cutOffDate of quarters) {
    if (stored.some((report) => report.cutOffDate.startsWith(cutOffDate))) continue;
    const query = new URLSearchParams({ fundId: fund.id, cutOffDate });
    const figures = await api.get<Figures>(`/crud/funds/counts/netCapitalCalled?${query}`);
    const name = `${title}, quarterly report ${cutOffDate}.xlsx`;
    const bytes = await reportBytes(title, cutOffDate, figures);
    const fileMetadata = await sendFile(api, { bucket: 'fundReports', name, type: XLSX, bytes });
    await api.post('/crud/reports', [{ fund: fund.id, cutOffDate, fileMetadata, status: 'Active' }]);
  }
}

/** One sheet with the figures of the fund at the end of a quarter. */
function reportBytes(title: string, cutOffDate: string, figures: Figures): Promise<Uint8Array> {
  const { called, unfunded, distributed, nav, dpi, rvpi, tvpi } = figures;
  const figure = (name: string, value: number | null | undefined): WrittenCell[] => [
    { text: name },
    value == null ? { text: 'n/a' } : { number: value.toFixed(2), format: { digits: 2 } },
  ];
  const rows: WrittenCell[][] = [
    [{ text: title }],
    [{ text: `Quarterly report, ${cutOffDate}, unaudited` }],
    [],
    [{ text: 'Figure' }, { text: called?.currency ?? '' }],
    figure('Called', called?.sum),
    figure('Unfunded commitment', unfunded?.sum),
    figure('Distributed', distributed?.sum),
    figure('Net asset value', nav?.sum),
    figure('DPI', dpi),
    figure('RVPI', rvpi),
    figure('TVPI', tvpi),
  ];
  return writeWorkbook({
    title: `${title}, quarterly report ${cutOffDate}`,
    author: 'Tapeline demonstration',
    created: `${cutOffDate}T00:00:00Z`,
    sheets: [{ name: 'Report', widths: [32, 18], rows, showsGrid: true }],
  });
}
