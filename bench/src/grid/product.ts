import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { User } from '@tapeline/db/entities/people.ts';
import { type Environment, readEnvironment } from '@tapeline/db/environment.ts';
import { newId } from '@tapeline/db/ids.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { openSession } from '@tapeline/db/operations/identity/sessions.ts';
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
import { type SignIn, signInBy } from '../measuring/sign-in.ts';
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
  /** Colleagues of the manager, each signed in at one of the web servers in turn. */
  readonly readers: readonly PageReader[];
  readonly url: string;
  /** The first web server. */
  readonly webPid: number;
  readonly webPids: readonly number[];
  /** Peak resident memory of the web server. */
  peakBytes(): Promise<number>;
  close(): Promise<void>;
}

/** Reads a page like `list`, and leaves the values unread. @returns how many assets pass the filter */
export type PageReader = (query: AssetQuery, asked: unknown) => Promise<number>;

/** Starts PostgreSQL and web servers in a temporary folder, and publishes the assets like a worker. */
export async function openProduct(
  assetsFile: string,
  tape: { rows: number; columns: readonly LakeColumn[]; customFields: CustomField[] },
  { webs = 1, readers = 0 } = {},
): Promise<Product> {
  const folder = await mkdtemp(join(DATA_FOLDER, 'product-'));
  const postgresPort = await claimAnyPort();
  const webPorts = await Promise.all(Array.from({ length: webs }, () => claimAnyPort()));
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
    for (const port of webPorts) port.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { environment, supervisor, home } = await launch.start();
    const programs = programsOf(ROOT);
    await supervisor.run('seed', nodeCommand(ROOT, programs.seed, environment));
    const { tapeId } = await publish(environment, assetsFile, tape);
    const urls = webPorts.map(({ port }) => `http://127.0.0.1:${port}`);
    const names = urls.map((_, at) => (at === 0 ? 'web' : `web-${at + 1}`));
    await supervisor.start(
      webPorts.map(({ port }, at) => {
        const command = nodeCommand(ROOT, programs.web, { ...environment, PORT: String(port) });
        return { ...webService(urls[at]!, command), name: names[at]! };
      }),
    );
    const [url = ''] = urls;
    const client = await signIn(url, MANAGER, home.mail);
    const webPids = names.map((name) => supervisor.pidOf(name)).filter((pid) => pid !== null);
    const [webPid] = webPids;
    if (webPid === undefined || webPids.length < webs) throw new Error('a web server does not run');
    const search = ({ sort, skip, limit }: AssetQuery, asked: unknown) =>
      new URLSearchParams({
        filter: JSON.stringify({ loanTape: tapeId, $and: [asked] }),
        sort: JSON.stringify(Object.fromEntries(sort.map(({ field, direction }) => [field.path, direction]))),
        skip: String(skip),
        limit: String(limit),
      });
    const signIns = await signInColleagues(readEnvironment(environment), readers);
    const pageReaders = await Promise.all(
      signIns.map(async (sign, at): Promise<PageReader> => {
        const web = urls[at % urls.length]!;
        const headers = await sign(web);
        return async (query, asked) => {
          const answer = await fetch(`${web}/crud/assets?${search(query, asked)}`, { headers });
          const text = await answer.text();
          if (!answer.ok) throw new Error(`the list was refused: ${answer.status} ${text.slice(0, 500)}`);
          return Number(answer.headers.get('x-docs-count'));
        };
      }),
    );
    return {
      async list(query, asked) {
        const answer = await client.open(`/crud/assets?${search(query, asked)}`);
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
      readers: pageReaders,
      url,
      webPid,
      webPids,
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

/** Adds users to the manager's company, and opens a sign-in for each. */
async function signInColleagues(environment: Environment, count: number): Promise<SignIn[]> {
  const store = await openStore(environment);
  try {
    return await store.as(SYSTEM, async (session) => {
      const { em, now } = session;
      const { managerId, roleId, assoc, type } = await em.findOneOrFail(User, { email: MANAGER });
      const users = Array.from({ length: count }, (_, at) =>
        em.create(User, {
          id: newId(now),
          firstName: 'Reader',
          lastName: `Number ${at + 1}`,
          email: `reader-${at + 1}@tapeline.test`,
          roleId,
          isReadPrivacyAndTerms: true,
          isConfirmedUserDetails: true,
          type,
          assoc,
          managerId,
        }),
      );
      await em.flush();
      const signIns: SignIn[] = [];
      for (const { id } of users) {
        const { refreshToken } = await openSession(session, id, {});
        signIns.push(signInBy(environment.instanceName, refreshToken));
      }
      return signIns;
    });
  } finally {
    await store.close();
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
