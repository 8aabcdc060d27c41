-- A count of the release's card that differs from the tables.
select * from {{ ref('card_counts') }} where is_alarm
