/** A policy whose hosts report their load by themselves, once a second. */
export const REPORTED_OUT_OF_BAND = {
  policies: [
    {
      typed_extension_config: {
        name: 'w',
        typed_config: {
          '@type':
            'type.googleapis.com/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin',
          enable_oob_load_report: true,
          oob_reporting_period: '1s',
        },
      },
    },
  ],
};
