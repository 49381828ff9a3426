# Two images from one file:
#   docker build --target reference -t gatecheck-reference .   the reference deployment, a sandbox of both APIs
#   docker build -t gatecheck .                                Gatecheck itself
# BASE is what they run on: Node 24 as `node` on the path.
ARG BASE=node:24-slim

FROM node:24-slim AS files
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# The image has what a package leaves to those who use it: engines of containers, and workers over Redis.
RUN npm run build \
  && node -e "const p = require('./package.json'); for (const name of Object.keys(p.peerDependencies)) { p.dependencies[name] = p.devDependencies[name]; delete p.devDependencies[name]; } require('node:fs').writeFileSync('package.json', JSON.stringify(p))" \
  && npm prune --omit=dev --ignore-scripts && mkdir /reports

FROM ${BASE} AS reference
WORKDIR /app
# `serve` needs no more of the packages than these.
COPY --from=files /app/node_modules/@hono/node-server node_modules/@hono/node-server
COPY --from=files /app/node_modules/busboy node_modules/busboy
COPY --from=files /app/node_modules/commander node_modules/commander
COPY --from=files /app/node_modules/hono node_modules/hono
COPY --from=files /app/node_modules/streamsearch node_modules/streamsearch
COPY --from=files /app/node_modules/undici node_modules/undici
COPY --from=files /app/node_modules/yaml node_modules/yaml
COPY --from=files /app/node_modules/zod node_modules/zod
COPY --from=files /app/package.json package.json
COPY --from=files /app/fixtures fixtures
COPY --from=files /app/dist dist
ENV NODE_ENV=production GATECHECK_SERVE_HOST=0.0.0.0 GATECHECK_SERVE_PORT=8080
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GATECHECK_SERVE_PORT}/`).then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/src/cli/main.js"]
CMD ["serve"]

FROM ${BASE} AS gatecheck
WORKDIR /app
COPY --from=files /app/node_modules node_modules
COPY --from=files /app/package.json package.json
COPY --from=files /app/bin bin
COPY --from=files /app/schemas schemas
COPY --from=files /app/fixtures fixtures
COPY --from=files /app/dist dist
# Any user may run it, also one that the image does not know and that has no home in it.
ENV NODE_ENV=production CI=true HOME=/tmp
# Config files are looked for here, and reports go here: mount a folder of yours.
COPY --from=files --chown=1000:1000 /reports /reports
WORKDIR /reports
USER 1000:1000
ENTRYPOINT ["node", "/app/dist/src/cli/main.js"]
CMD ["--help"]
