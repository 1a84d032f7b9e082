import type { readErroredView } from './errored-view.server.ts';
import type { readForwardView } from './forward-view.server.ts';
import type { readMigrationView, readRollsView, readStrataView, readVintagesView } from './pool-views.server.ts';
import type { readAssetsView, readBasesView, readTapeHead } from './tape-page.server.ts';

/** The data that the loader of a tape's page passes to its sections. */
export type TapeHead = Awaited<ReturnType<typeof readTapeHead>>['head'];
export type AssetsView = Extract<Awaited<ReturnType<typeof readAssetsView>>, { kind: 'assets' }>;
export type ErroredView = Awaited<ReturnType<typeof readErroredView>>;
export type BasesView = Awaited<ReturnType<typeof readBasesView>>;
export type ForwardView = Awaited<ReturnType<typeof readForwardView>>;
export type MigrationView = Awaited<ReturnType<typeof readMigrationView>>;
export type RollsView = Awaited<ReturnType<typeof readRollsView>>;
export type VintagesView = Awaited<ReturnType<typeof readVintagesView>>;
export type StrataView = Awaited<ReturnType<typeof readStrataView>>;
