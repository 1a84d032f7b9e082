import { copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { createMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { beginGeneration, completeTape, publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { CustomField } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetQuery } from '@tapeline/lake/assets.ts';
import { openObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { type BenchProduct, openProduct } from './product.ts';
import { addTenant, type BenchTenant } from './tenant.ts';

const EXPORT_TIMEOUT_MS = 30 * 60_000;

/** A published tape, called at web servers as signed-in people of its manager. */
export interface ServedTape {
  /** Reads a page of the tape's assets from `GET /crud/assets` to the last value. */
  list(query: AssetQuery, asked: unknown): Promise<{ ids: string[]; total: number }>;
  /**
   * Opens the page of the tape's assets, with the first rows of the query. @returns its text
   * @param as the whole page, or what the app asks for when somebody opens the tab of a page that is there already
   */
  open(query: AssetQuery, asked: unknown, as: 'page' | 'tab'): Promise<string>;
  /** Streams the whole tape in a media type. */
  exported(type: string): Promise<Response>;
  /** People of the manager, each signed in at one of the web servers in turn. */
  readonly readers: readonly PageReader[];
  readonly webs: BenchProduct['webs'];
  readonly superuserUrl: string;
  close(): Promise<void>;
}

/** Reads a page like `list`, and leaves the values unread. @returns how many assets pass the filter */
export type PageReader = (query: AssetQuery, asked: unknown) => Promise<number>;

interface PublishedTape {
  readonly rows: number;
  readonly columns: readonly { name: string }[];
  readonly customFields: CustomField[];
}

/** Starts PostgreSQL and web servers, and publishes the assets like a worker. */
export async function serveTape(
  assetsFile: string,
  tape: PublishedTape,
  { webs = 1, readers = 0 } = {},
): Promise<ServedTape> {
  const product = await openProduct({ extent: 'database', webs });
  const tenant = await addTenant(product.environment);
  const { tapeId } = await publish(product.environment, tenant, assetsFile, tape);
  const close = async (): Promise<void> => {
    await tenant.store.as(SYSTEM, (session) => removeTape(session, { id: tapeId }));
    await tenant.end();
    await product.close();
  };
  const sortOf = ({ sort }: AssetQuery) =>
    JSON.stringify(Object.fromEntries(sort.map(({ field, direction }) => [field.path, direction])));
  const pathOf = (query: AssetQuery, asked: unknown) =>
    `/crud/assets?${new URLSearchParams({
      filter: JSON.stringify({ loanTape: tapeId, $and: [asked] }),
      sort: sortOf(query),
      skip: String(query.skip),
      limit: String(query.limit),
    })}`;
  const urls = product.webs.map(({ url }) => url);
  const [caller, ...others] = await tenant.callers(urls, readers + 1);
  if (!caller) throw new Error('nobody is signed in');
  return {
    async list(query, asked) {
      const answer = await caller.open('GET', pathOf(query, asked));
      const assets = (await answer.json()) as { targetData: { assetId: string } }[];
      if (!answer.ok) throw new Error(`the list was refused: ${JSON.stringify(assets)}`);
      return {
        ids: assets.map(({ targetData }) => targetData.assetId),
        total: Number(answer.headers.get('x-docs-count')),
      };
    },
    async open(query, asked, as) {
      const search = new URLSearchParams({ view: 'assets', filter: JSON.stringify(asked), sort: sortOf(query) });
      const path = `/monitoring/tapes/${tapeId}${as === 'tab' ? '.data' : ''}?${search}`;
      const answer = await caller.open('GET', path, { headers: { accept: as === 'tab' ? '*/*' : 'text/html' } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the page was refused: ${answer.status} ${text.slice(0, 500)}`);
      return text;
    },
    exported: (type) =>
      caller.open('GET', `/crud/assets?${new URLSearchParams({ filter: JSON.stringify({ loanTape: tapeId }) })}`, {
        headers: { accept: type },
        timeoutMs: EXPORT_TIMEOUT_MS,
      }),
    readers: others.map((reader) => async (query, asked) => {
      const answer = await reader.open('GET', pathOf(query, asked));
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the list was refused: ${answer.status} ${text.slice(0, 500)}`);
      return Number(answer.headers.get('x-docs-count'));
    }),
    webs: product.webs,
    superuserUrl: product.superuserUrl,
    close,
  };
}

/** Publishes the assets as a tape of the tenant's company. */
export async function publish(
  variables: NodeJS.ProcessEnv,
  { store, companyId }: BenchTenant,
  assetsFile: string,
  { rows, columns, customFields }: PublishedTape,
): Promise<{ tapeId: string; mappingId: string }> {
  const objects = await openObjectStore(readEnvironment(variables), store);
  try {
    const [tape, attempt, mapping] = await store.as(SYSTEM, async (session) => {
      const used = await createMapping(session, { companyId, body: TAPE_MAPPING });
      const made = await createTape(session, {
        companyId,
        cutOffDate: TAPE_FACTS.cutOffDate,
        mainCurrency: TAPE_FACTS.primaryCurrency,
        exchangeRates: { USD: '1' },
        calculateBB: false,
        attachment: {
          bucket: 'loanTapes',
          key: 'bench',
          name: 'bench.xlsx',
          size: 1,
          checksum: '0'.repeat(64),
          type: '',
        },
      });
      return [made, await beginGeneration(session, { tapeId: made.id }), used] as const;
    });
    const key = `${attempt.objectPrefix}assets-0.parquet`;
    // The store moves the file that it is given.
    const copy = join(tmpdir(), `publishing-${tape.id}.parquet`);
    await copyFile(assetsFile, copy);
    await objects.putFile(key, copy);
    await rm(copy, { force: true });
    await store.as(SYSTEM, async (session) => {
      await publishGeneration(session, {
        tapeId: tape.id,
        generationId: attempt.generationId,
        fencingToken: attempt.fencingToken,
        manifest: { assets: [key], errored: [], columns: columns.map(({ name }) => name), customFields },
        counts: { dataRows: rows, assets: rows, errored: 0, discarded: 0, blankRows: 0 },
        statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
      });
      await completeTape(session, { tapeId: tape.id });
    });
    return { tapeId: tape.id, mappingId: mapping.id };
  } finally {
    await objects.close();
  }
}
