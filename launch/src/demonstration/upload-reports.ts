import type { demonstrationReports } from '@tapeline/db/seed/demonstration/reports.ts';
import { writeXlsxStream } from 'hucre/xlsx';
import { type Caller, sendFile } from '../client/caller.ts';
import { filtered } from './request-draws.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

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
export async function uploadReports(
  api: Caller,
  { fund: title, quarters }: ReturnType<typeof demonstrationReports>,
): Promise<void> {
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
async function reportBytes(title: string, cutOffDate: string, figures: Figures): Promise<Uint8Array> {
  const { called, unfunded, distributed, nav, dpi, rvpi, tvpi } = figures;
  const currency = called?.currency ?? '';
  const rows = [
    [title],
    [`Quarterly report, ${cutOffDate}, unaudited`],
    [],
    ['Figure', currency],
    ['Called', called?.sum ?? 'n/a'],
    ['Unfunded commitment', unfunded?.sum ?? 'n/a'],
    ['Distributed', distributed?.sum ?? 'n/a'],
    ['Net asset value', nav?.sum ?? 'n/a'],
    ['DPI', dpi ?? 'n/a'],
    ['RVPI', rvpi ?? 'n/a'],
    ['TVPI', tvpi ?? 'n/a'],
  ];
  const options = { name: 'Report', columns: [{ width: 32 }, { width: 18, numFmt: '#,##0.00' }] };
  return new Uint8Array(await new Response(writeXlsxStream(rows, options)).arrayBuffer());
}
