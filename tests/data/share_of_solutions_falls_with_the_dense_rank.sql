-- A band of dense ranks with a higher share of solutions than the band before: a warning.
{{ config(severity='warn') }}
select * from {{ ref('solution_rates') }} where is_alarm
