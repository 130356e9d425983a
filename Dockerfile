# docker build -t lbsim .
# docker run --rm -v "$PWD:/work:ro" lbsim test scenarios/
FROM node:22-slim AS build
WORKDIR /source
# What is installed changes less often than the sources.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY . .
RUN npm pack --loglevel=error && mv lbsim-*.tgz /lbsim.tgz

FROM node:22-slim
COPY --from=build /lbsim.tgz /tmp/lbsim.tgz
RUN npm install --global --omit=peer /tmp/lbsim.tgz && rm /tmp/lbsim.tgz && npm cache clean --force
# Reads what is mounted, and needs no right beyond that.
USER node
WORKDIR /work
ENTRYPOINT ["lbsim"]
CMD ["--help"]
