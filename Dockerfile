# docker build -t lbsim .
# docker run --rm -v "$PWD:/work:ro" lbsim test scenarios/
FROM node:22-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --silent && mv lbsim-*.tgz /lbsim.tgz

FROM node:22-slim
COPY --from=build /lbsim.tgz /tmp/lbsim.tgz
RUN npm install --global --omit=peer /tmp/lbsim.tgz && rm /tmp/lbsim.tgz && npm cache clean --force
# Reads what is mounted, and needs no right beyond that.
USER node
WORKDIR /work
ENTRYPOINT ["lbsim"]
CMD ["--help"]
