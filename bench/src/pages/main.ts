import { Worker } from 'node:worker_threads';
import { findChromium } from '@tapeline/launch/testing/find-chromium.ts';
import { chromium } from 'playwright-core';
import { median, numberOption, printLoad, say } from '../measuring/rounds.ts';
import { measurePage, type Visit } from './measure-page.ts';
import { demonstratedPages, openDemonstration } from './pages.ts';
import { weighRoutes } from './weigh-routes.ts';

// What a page costs a person who opens it for the first time: compressed JavaScript, requests, layout shift, and the time
// until it can be used, while both cores are busy. The weight is limited, because it is the same on every machine.

/** Compressed JavaScript of a page, without the code of a grid, which is loaded once the page can be used. */
const MAX_SCRIPT_BYTES = 150_000;
/** Requests of a page without a grid. */
const MAX_REQUESTS = 25;
/** What people see as nothing moving, and as at once. */
const MAX_SHIFT = 0.05;
const MAX_INTERACTIVE_MS = 1500;

const rounds = numberOption('rounds', 3);
const busy = numberOption('busy', 2);

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
const middle = (visits: readonly Visit[], read: (visit: Visit) => number): number => median(visits.map(read));

const product = await openDemonstration();
const browser = await chromium.launch({
  executablePath: await findChromium(process.env, say),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const spinners = Array.from({ length: busy }, () => new Worker('for (;;) Math.random();', { eval: true }));
const failures: string[] = [];
let heaviest = 0;
try {
  printLoad();
  const pages = await demonstratedPages(browser, product);
  say(`${'page'.padEnd(12)} script kB  grid kB  requests  shift  interactive ms`);
  for (const { name, path } of pages) {
    const visits: Visit[] = [];
    for (let round = 0; round < rounds; round += 1) visits.push(await measurePage(browser, product, path));
    const scriptBytes = middle(visits, (visit) => visit.scriptBytes);
    const gridBytes = middle(visits, (visit) => visit.gridBytes);
    const requests = middle(visits, (visit) => visit.requests);
    const shift = middle(visits, (visit) => visit.layoutShift);
    const interactiveMs = middle(visits, (visit) => visit.interactiveMs);
    heaviest = Math.max(heaviest, scriptBytes);
    const slow = shift > MAX_SHIFT || interactiveMs > MAX_INTERACTIVE_MS ? '  above the aim' : '';
    say(
      `${name.padEnd(12)} ${kilobytes(scriptBytes).padStart(9)} ${gridBytes > 0 ? kilobytes(gridBytes).padStart(8) : '       –'} ${String(requests).padStart(9)} ${shift.toFixed(3).padStart(6)} ${interactiveMs.toFixed(0).padStart(15)}${slow}`,
    );
    if (scriptBytes > MAX_SCRIPT_BYTES) failures.push(`${name} loads ${kilobytes(scriptBytes)} kB of JavaScript`);
    if (gridBytes === 0 && requests > MAX_REQUESTS) failures.push(`${name} takes ${requests} requests`);
    if (visits.some(({ isGridEarly }) => isGridEarly)) failures.push(`${name} loads its grid before it can be used`);
  }
  printLoad();
  const routes = await weighRoutes(product.url);
  for (const { route, scriptBytes, hasSchemas } of routes) {
    if (scriptBytes > MAX_SCRIPT_BYTES) failures.push(`${route} loads ${kilobytes(scriptBytes)} kB of JavaScript`);
    if (hasSchemas) failures.push(`${route} loads schemas with the page`);
  }
  const [first] = routes;
  const later = routes
    .filter(({ laterBytes }) => laterBytes > 0)
    .sort((one, other) => other.laterBytes - one.laterBytes);
  const [most] = later;
  if (!first || !most) throw new Error('the product has no routes, or no forms');
  say(`${routes.length} routes, at most ${kilobytes(first.scriptBytes)} kB (${first.route})`);
  say(
    `${later.length} of them load more once a form is changed or the page can be used, at most ${kilobytes(most.laterBytes)} kB (${most.route})`,
  );
  if (failures.length > 0) throw new Error(`above the limits of weight: ${failures.join('; ')}`);
  say(
    `ratio pages ${(heaviest / MAX_SCRIPT_BYTES).toFixed(2)} (the most JavaScript of ${pages.length} pages against ${kilobytes(MAX_SCRIPT_BYTES)} kB)`,
  );
} finally {
  await Promise.all(spinners.map((spinner) => spinner.terminate()));
  await browser.close();
  await product.close();
}
