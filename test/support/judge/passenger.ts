/** A passenger who lacks nothing, with the papers of an international trip. */
export const passport = {
  ...{ number: 'GC1234567', date_of_issue: '2024-01-01', expiry_date: '2034-01-01', place_of_issue: 'Dubai' },
  nationality: 'AE',
};

export const passenger = {
  ...{ first_name: 'Testa', last_name: 'Gatecheck', email: 'gatecheck@example.com', country_code: '+1' },
  ...{
    phone: '2025550143',
    date_of_birth: '1990-05-17',
    nationality: 'AE',
    country_of_residence: 'AE',
    passport,
  },
};
