# One image for everything of ours; the targets differ only in what they run. Node runs the TypeScript as it is; only the
# web app is built.
FROM node:24.21.0-bookworm-slim AS node

FROM node AS base
RUN npm install --global pnpm@10.34.8
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .npmrc ./
COPY domain/package.json domain/
COPY sheets/package.json sheets/
COPY parquet/package.json parquet/
COPY lake/package.json lake/
COPY mail/package.json mail/
COPY telemetry/package.json telemetry/
COPY db/package.json db/
COPY workflows/package.json workflows/
COPY workers/package.json workers/
COPY web/package.json web/
COPY launch/package.json launch/
COPY bench/package.json bench/
COPY demonstration/package.json demonstration/

FROM base AS build
RUN pnpm install --frozen-lockfile --prod=false --filter '@tapeline/web...'
COPY . .
RUN NODE_ENV=production pnpm --filter @tapeline/web build

# What the programs load, without types, compilers and other machines' libraries.
FROM base AS modules
RUN pnpm install --frozen-lockfile --prod --filter '@tapeline/web...' --filter '@tapeline/workers...'
COPY launch/src/image launch/src/image
RUN node launch/src/image/prune-modules.ts node_modules && rm -r launch bench demonstration

FROM node AS runtime
WORKDIR /app
COPY --from=modules /app .
COPY domain domain
COPY sheets sheets
COPY parquet parquet
COPY lake lake
COPY mail mail
COPY telemetry telemetry
COPY db db
COPY workflows workflows
COPY workers workers
COPY web web
COPY --from=build /app/web/build web/build
ENV NODE_ENV=production TAPELINE_HOME=/var/lib/tapeline
RUN mkdir -p /var/lib/tapeline && chown node:node /var/lib/tapeline
USER node
VOLUME /var/lib/tapeline

FROM runtime AS migrate
CMD ["sh", "-c", "node db/src/commands/migrate.ts && exec node lake/src/commands/seed.ts"]

FROM runtime AS worker
# Metrics and health, for the network of the containers only: no compose file or chart publishes this port.
ENV METRICS_HOST=0.0.0.0 METRICS_PORT=9464
EXPOSE 9464
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=12 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "workers/src/start.ts"]

FROM runtime AS web
# Reached from outside the container by the ports that are published.
ENV HOST=0.0.0.0 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
EXPOSE 3000 9464
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=12 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "web/server.ts"]
