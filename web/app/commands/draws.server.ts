import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import { removeDraws, updateDraw, updateDraws } from '@tapeline/db/operations/draws/change-draws.ts';
import { type DrawView, getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { recheckDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { createDraw } from '@tapeline/db/operations/draws/request-draws.ts';
import { unapprovedDraw } from '@tapeline/db/operations/draws/unapproved-draw.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import type { DrawStage } from '@tapeline/domain/draws/checks.ts';
import type { DrawChange, DrawCreate, DrawUpdate } from '@tapeline/domain/draws/draw.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { drawRequest } from '@tapeline/workflows/all-workflows.ts';
import type { DrawCheckCommand } from '@tapeline/workflows/draw/activities.ts';
import { drawSignalOf } from '@tapeline/workflows/draw/signal.ts';
import type { RequestContext } from '../http/context.ts';
import { runInOrder } from './in-order.ts';

/** Who calls, and with which services. */
interface Caller {
  readonly context: RequestContext;
  readonly actor: UserActor;
  readonly origin?: CallOrigin;
}

const CHECKER = systemActor('Draw checks');

/** Requests one draw or several, all of them or none. @throws Refusal as `createDraw` does */
export async function requestDraws(caller: Caller, bodies: readonly DrawCreate[]): Promise<DrawView[]> {
  const draws = await asCaller(caller, async (session) => {
    const [only] = bodies;
    return bodies.length === 1 && only
      ? [await createDraw(session, only)]
      : runInOrder(bodies, (body) => createDraw(session, body));
  });
  await signalAll(caller, draws, 'request');
  return draws;
}

/** Changes or decides a draw request. The answer is the decision itself. @throws Refusal as `updateDraw` does */
export async function changeDraw(caller: Caller, id: string, body: DrawUpdate): Promise<DrawView> {
  return decided(caller, async () => {
    const draw = await asCaller(caller, (session) => updateDraw(session, { id, body }));
    await signalAll(caller, [draw], 'change');
    return draw;
  });
}

/** Changes or decides several draw requests, all of them or none. */
export async function changeDraws(caller: Caller, items: readonly DrawChange[]): Promise<DrawView[]> {
  return decided(caller, async () => {
    const draws = await asCaller(caller, (session) => updateDraws(session, items));
    await signalAll(caller, draws, 'change');
    return draws;
  });
}

/** Runs the checks of a waiting request again, for what changed around it. @throws Refusal notFound */
export async function recheck(caller: Caller, { drawId, version }: { drawId: string; version: number }): Promise<void> {
  await asCaller(caller, (session) => getDraw(session, drawId));
  const command = { drawId, version, stage: 'change' as const };
  await caller.context.store.as(CHECKER, (session) => recheckDraw(session, command));
}

/** Removes draw requests, all of them or none. @throws Refusal as `removeDraws` does */
export async function withdrawDraws(caller: Caller, ids: readonly string[]): Promise<void> {
  await asCaller(caller, (session) => removeDraws(session, ids));
  await signalAll(
    caller,
    ids.map((id) => ({ id, version: 0 })),
    'change',
  );
}

const asCaller = <Result>({ context, actor, origin }: Caller, work: (session: Session) => Promise<Result>) =>
  context.store.as(actor, work, origin);

/**
 * An approval whose checks found new exceptions is rolled back. The exceptions are then stored, and the request is in
 * review again, before the caller gets the error.
 */
async function decided<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const unapproved = unapprovedDraw(error);
    if (unapproved?.isNew) {
      const { drawId, drawVersion: version } = unapproved;
      const command = { drawId, version, stage: 'approval' as const };
      await caller.context.store.as(CHECKER, (session) => recheckDraw(session, command));
    }
    throw error;
  }
}

const signalAll = (caller: Caller, draws: readonly { id: string; version: number }[], stage: DrawStage) =>
  Promise.all(draws.map(({ id, version }) => signal(caller.context, { drawId: id, version, stage })));

/**
 * Tells the workflow of a request that it was made, changed or decided, and starts it if it is not running. The request
 * itself is already stored and checked, so an outage of Temporal delays only what follows: the sweep of draws makes up for it.
 */
async function signal(context: RequestContext, change: DrawCheckCommand): Promise<void> {
  try {
    await context.temporal.workflow.signalWithStart<typeof drawRequest, [DrawCheckCommand]>(
      'drawRequest',
      drawSignalOf(context.environment.instanceName, change),
    );
  } catch (err) {
    context.log.error({ err, drawId: change.drawId }, 'the workflow of a draw request could not be signalled');
  }
}
