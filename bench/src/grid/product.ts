import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { createMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { beginGeneration, completeTape, publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { openStore, SYSTEM } from '@tapeline/db/store.ts';
import type { CustomField, LakeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetQuery } from '@tapeline/lake/assets.ts';
import { openObjectStore } from '@tapeline/lake/storage/open-object-store.ts';
import { signIn } from '@tapeline/launch/demonstration/api-client.ts';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { nodeCommand, programsOf, webService } from '@tapeline/launch/product/programs.ts';
import { createLaunch } from '@tapeline/launch/product/start-product.ts';
import { say } from '../measuring/rounds.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const MANAGER = 'manager@tapeline.test';
const COMPANY = 'Northwind Consumer Loans';
const EXPORT_TIMEOUT_MS = 30 * 60_000;

/** The product's web server over a published tape, called as a signed-in manager. */
export interface Product {
  /** Reads a page of the tape's assets from `GET /crud/assets` to the last value. */
  list(query: AssetQuery, asked: unknown): Promise<{ ids: string[]; total: number }>;
  /** Streams the whole tape in a media type. */
  exported(type: string): Promise<Response>;
  readonly url: string;
  readonly webPid: number;
  /** Peak resident memory of the web server. */
  peakBytes(): Promise<number>;
  close(): Promise<void>;
}

/** Starts PostgreSQL and the web server in a temporary folder, and publishes the assets like a worker. */
export async function openProduct(
  assetsFile: string,
  tape: { rows: number; columns: readonly LakeColumn[]; customFields: CustomField[] },
): Promise<Product> {
  const folder = await mkdtemp(join(DATA_FOLDER, 'product-'));
  const postgresPort = await claimAnyPort();
  const webPort = await claimAnyPort();
  postgresPort.release();
  const variables = {
    ...process.env,
    NODE_ENV: 'development' as const,
    TAPELINE_HOME: folder,
    POSTGRES_PORT: String(postgresPort.port),
    DEV_SERVICE_PORTS: 'off',
    LOG_LEVEL: 'warn',
  };
  const launch = createLaunch({ root: ROOT, variables, say, extent: 'database' });
  const stop = async (): Promise<void> => {
    await launch.stop();
    webPort.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { environment, supervisor, home } = await launch.start();
    environment.PORT = String(webPort.port);
    const programs = programsOf(ROOT);
    await supervisor.run('seed', nodeCommand(ROOT, programs.seed, environment));
    const { tapeId } = await publish(environment, assetsFile, tape);
    const url = `http://127.0.0.1:${webPort.port}`;
    await supervisor.start([webService(url, nodeCommand(ROOT, programs.web, environment))]);
    const client = await signIn(url, MANAGER, home.mail);
    const webPid = supervisor.pidOf('web');
    if (webPid === null) throw new Error('the web server does not run');
    return {
      async list({ sort, skip, limit }, asked) {
        const search = new URLSearchParams({
          filter: JSON.stringify({ loanTape: tapeId, $and: [asked] }),
          sort: JSON.stringify(Object.fromEntries(sort.map(({ field, direction }) => [field.path, direction]))),
          skip: String(skip),
          limit: String(limit),
        });
        const answer = await client.open(`/crud/assets?${search}`);
        const assets = (await answer.json()) as { targetData: { assetId: string } }[];
        if (!answer.ok) throw new Error(`the list was refused: ${JSON.stringify(assets)}`);
        return {
          ids: assets.map(({ targetData }) => targetData.assetId),
          total: Number(answer.headers.get('x-docs-count')),
        };
      },
      exported: (type) =>
        client.open(
          `/crud/assets?${new URLSearchParams({ filter: JSON.stringify({ loanTape: tapeId }) })}`,
          { accept: type },
          EXPORT_TIMEOUT_MS,
        ),
      url,
      webPid,
      async peakBytes() {
        const status = await readFile(`/proc/${webPid}/status`, 'utf8');
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Publishes the assets as a tape of a company of the demonstration. */
export async function publish(
  variables: NodeJS.ProcessEnv,
  assetsFile: string,
  { rows, columns, customFields }: { rows: number; columns: readonly { name: string }[]; customFields: CustomField[] },
): Promise<{ tapeId: string; companyId: string; mappingId: string }> {
  const environment = readEnvironment(variables);
  const store = await openStore(environment);
  const objects = await openObjectStore(environment, store);
  try {
    const [tape, attempt, mapping] = await store.as(SYSTEM, async (session) => {
      const [company] = (await listCompanies(session, { filter: { 'entity.name': COMPANY } })).documents;
      if (!company) throw new Error(`the demonstration has no company ${COMPANY}`);
      const used = await createMapping(session, { companyId: company.id, body: TAPE_MAPPING });
      const made = await createTape(session, {
        companyId: company.id,
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
    const copy = join(DATA_FOLDER, `publishing-${tape.id}.parquet`);
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
    return { tapeId: tape.id, companyId: tape.companyId, mappingId: mapping.id };
  } finally {
    await objects.close();
    await store.close();
  }
}
