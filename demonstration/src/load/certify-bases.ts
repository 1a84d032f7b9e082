import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { BORROWER_EMAIL } from '../names.ts';
import { filtered } from './request-draws.ts';

/** The certificate of one borrowing base: what the borrower states, and what the lender decides. */
interface Certified {
  /** Counted back from the latest cut-off date. */
  basesBack: number;
  /** The lines that differ from ours, by how much; null if the borrower confirms the calculated figures. */
  differences: { line: string; label: string; by: number; remark?: string }[] | null;
  /** Reasons by line; omitted if the lender accepts. */
  dispute?: { line: string; reason: string }[];
}

interface Certifications {
  facility: string;
  noteTitle: string;
  name: string;
  title: string;
  certificates: Certified[];
}

interface Base {
  id: string;
  cutOffDate: string;
  note: string;
}

interface Certificate {
  id: string;
  version: number;
  status: string;
  lines: { key: string | null; label: string; ours: number | null }[];
}

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * The borrower certifies borrowing bases of a facility with a code from its emails, unless an earlier run has done so. A colleague
 * of the manager accepts one; the manager disputes the other.
 */
export async function certifyBases(
  { borrower, manager, colleague }: { borrower: Caller; manager: Caller; colleague: Caller },
  title: string,
): Promise<void> {
  const data = readData<Certifications[]>('certifications').find(({ facility }) => facility === title);
  if (!data) throw new Error(`the demonstration has no certificates of ${title}`);
  const [found] = await manager.get<{ id: string }[]>(filtered('/crud/transactions', { title }));
  if (!found) throw new Error(`there is no transaction called ${title}`);
  const { notes } = await manager.get<{ notes: { id: string; title: string }[] }>(`/crud/transactions/${found.id}`);
  const note = notes.find((one) => one.title === data.noteTitle)?.id;
  const bases = (await manager.get<Base[]>(filtered('/crud/borrowingBase', { transaction: found.id, note }))).sort(
    (one, other) => (one.cutOffDate < other.cutOffDate ? 1 : -1),
  );
  for (const wanted of data.certificates) {
    const base = bases[wanted.basesBack];
    if (!base) throw new Error(`${title} has no borrowing base ${wanted.basesBack} before its latest`);
    const path = `/crud/borrowingBase/${base.id}/certificates`;
    const [latest] = await borrower.get<Certificate[]>(path);
    if (latest?.status === 'Accepted' || latest?.status === 'Disputed') continue;
    const submitted =
      latest?.status === 'Submitted' || latest?.status === 'InReview'
        ? latest
        : await submit(borrower, path, data, wanted);
    const lender = wanted.dispute ? manager : colleague;
    const at = `${path}/${submitted.id}`;
    if (submitted.status === 'Submitted') await lender.post(`${at}/review`, {});
    if (wanted.dispute) await lender.post(`${at}/dispute`, { lines: wanted.dispute });
    else await lender.post(`${at}/accept`, {});
  }
}

async function submit(borrower: Caller, path: string, data: Certifications, { differences }: Certified) {
  // A draft of the calculated figures tells what they are.
  const confirmed = await borrower.post<Certificate>(path, { lines: null });
  const changed = new Map(differences?.map((one) => [one.line, one]));
  const lines = confirmed.lines.flatMap(({ key, label, ours }) => {
    const difference = changed.get(key ?? '');
    if (key === null || ours === null || (key.includes('/') && !difference)) return [];
    return [
      {
        line: key,
        label: difference?.label ?? label,
        amount: rounded(ours + (difference?.by ?? 0)),
        remark: difference?.remark ?? null,
      },
    ];
  });
  const draft = differences ? await borrower.post<Certificate>(path, { lines }) : confirmed;
  const code = await borrower.requestCode(BORROWER_EMAIL, `${path}/${draft.id}/code`);
  return borrower.post<Certificate>(`${path}/${draft.id}/submit`, {
    name: data.name,
    title: data.title,
    code,
    version: draft.version,
  });
}
