import { describe, expect, it } from 'vitest';
import { headerFormatProblem } from '../../src/config/core.js';

describe('the value of a header that is added', () => {
  // Each as a proxy 1.40 took it.
  it.each([
    '',
    'plain',
    '%%',
    '100%%',
    '%%BOGUS%%',
    '%PROTOCOL%',
    '%REQ(x)%',
    '%REQ(x?y):3%',
    '%START_TIME%',
    '%START_TIME(%Y-%m)%',
    '%UPSTREAM_METADATA(["a", "b"])%',
    '%DYNAMIC_METADATA(a:b)%',
    'a %PROTOCOL% b %REQ(x)% %%',
    '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%',
    '%RESPONSE_CODE%',
  ])('takes %j', (value) => {
    expect(headerFormatProblem(value)).toBeUndefined();
  });

  it.each([
    ['%BOGUS%', "%BOGUS%: field 'BOGUS' not supported as custom header"],
    ['%PROTOCOL% %BOGUS%', "%BOGUS%: field 'BOGUS' not supported as custom header"],
    ['%PROTOCAL%', "%PROTOCAL%: field 'PROTOCAL' not supported as custom header (did you mean PROTOCOL?)"],
    ['%constructor%', "Incorrect configuration: %constructor%. Couldn't find valid command at position 0"],
    ['50%', "Incorrect configuration: 50%. Couldn't find valid command at position 2"],
    ['50% %BOGUS%', "Incorrect configuration: 50% %BOGUS%. Couldn't find valid command at position 2"],
    ['%REQ(x)', "Incorrect configuration: %REQ(x). Couldn't find valid command at position 0"],
    ['%% %REQ(x)', "Incorrect configuration: %% %REQ(x). Couldn't find valid command at position 3"],
    ['%REQ(x):z%', "Incorrect configuration: %REQ(x):z%. Couldn't find valid command at position 0"],
    ['%REQ%', '%REQ%: REQ requires parameters'],
    ['%REQ()%', '%REQ()%: REQ requires parameters'],
    ['%PROTOCOL(x)%', '%PROTOCOL(x)%: PROTOCOL does not take any parameters or length'],
    ['%PROTOCOL:3%', '%PROTOCOL:3%: PROTOCOL does not take any parameters or length'],
  ])('refuses %j', (value, expected) => {
    expect(headerFormatProblem(value)?.startsWith(expected)).toBe(true);
  });
});
